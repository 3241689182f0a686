#!/bin/sh
# Unpacks Debian's WordNet into a new folder: `wordnet.sh FOLDER`. `.ci/setup.sh wordnet` runs this once for every clone.
set -eu
command -v apt-get || { echo "There is no apt-get here, which fetches Debian's package of WordNet."; exit 1; }
mkdir "$1"
cd "$1"
apt-get -qq -o APT::Sandbox::User=root download wordnet-base ||
    { echo "WordNet could not be fetched. Have root run 'apt-get update', then run this again."; exit 1; }
dpkg -x wordnet-base_*.deb .
rm wordnet-base_*.deb

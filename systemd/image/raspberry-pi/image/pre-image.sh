#!/bin/sh
# Writes the configuration from which genimage makes the card. $1: the root; $2: the folder of the configuration.
set -eu
sed -e "s|<NAME>|${IGconf_image_name:?}|" -e "s|<SUFFIX>|${IGconf_image_suffix:?}|" \
    -e "s|<SIGNATURE>|$(cat ../signature)|" genimage.cfg.in >"$2/genimage.cfg"

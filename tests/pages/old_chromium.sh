#!/bin/sh
# Unpacks two old Chromiums into a new folder: `old_chromium.sh FOLDER`. `.ci/setup.sh pages` runs this once for every clone.
# 79 is the oldest that the pages support, 78 the newest that they do not. npm has both, packed for servers.
set -eu
mkdir "$1"
cd "$1"
bring() {
    npm pack --silent "chrome-aws-lambda@$2" >/dev/null ||
        { echo "Chromium $1 could not be fetched from npm. Is the network there?"; exit 1; }
    echo "$3  chrome-aws-lambda-$2.tgz" | sha256sum --check --quiet
    tar -xzf "chrome-aws-lambda-$2.tgz" package/bin/chromium.br
    node -e '
        const { createReadStream, createWriteStream } = require("fs");
        createReadStream("package/bin/chromium.br")
            .pipe(require("zlib").createBrotliDecompress())
            .pipe(createWriteStream(process.argv[1], { mode: 0o755 }));' "chromium-$1"
    rm -r package "chrome-aws-lambda-$2.tgz"
}
bring 79 2.0.2 287fd9947ca8e8256a1d8fcdea588d133632787d890f3137eef635f9a1809eac
bring 78 1.20.4 aba7f1562247dda11a704f9bc41294e57a1e197eae31085842479e4c0b025144

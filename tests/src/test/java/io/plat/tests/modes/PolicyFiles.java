package io.plat.tests.modes;

import io.plat.tests.process.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Policy files of the servers, changed atomically by renaming. */
record PolicyFiles(Path lines, Path manifests) {
    static PolicyFiles in(Path directory) throws IOException {
        PolicyFiles files = new PolicyFiles(directory.resolve("policy.jsonl"), directory.resolve("roles.yaml"));
        Files.writeString(files.lines, "");
        Files.writeString(files.manifests, "");
        return files;
    }

    void lines(String text) throws IOException {
        AtomicFile.put(lines, text);
    }

    void manifests(String text) throws IOException {
        AtomicFile.put(manifests, text);
    }
}

package io.plat.tests.modes;

import io.plat.tests.process.ReplacedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files that servers take their policy from, changed by renaming a whole one into place. */
record PolicyFiles(Path lines, Path manifests) {
    static PolicyFiles in(Path folder) throws IOException {
        PolicyFiles files = new PolicyFiles(folder.resolve("policy.jsonl"), folder.resolve("roles.yaml"));
        Files.writeString(files.lines, "");
        Files.writeString(files.manifests, "");
        return files;
    }

    void lines(String text) throws IOException {
        ReplacedFile.put(lines, text);
    }

    void manifests(String text) throws IOException {
        ReplacedFile.put(manifests, text);
    }
}

package io.plat.cli.policy;

import io.plat.cli.process.CommandException;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.rbac.manifest.ManifestDirectory;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.engine.rbac.manifest.RbacManifests;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reader of the policy at paths. A file whose first line is a policy line is a policy file, any other has role objects. In a directory, manifests
 * ({@code .yaml}, {@code .yml}, {@code .json}) and policy files ({@code .jsonl}) are read, but no subdirectories.
 */
public final class PolicyPathReader {
    private final List<AbacLine> lines = new ArrayList<>();
    private final RbacManifestReader manifests = new RbacManifestReader();
    private final List<Problem> problems = new ArrayList<>();
    private boolean hasLines;
    private boolean hasManifests;

    private PolicyPathReader() {}

    /**
     * Reads all paths as one policy.
     *
     * @throws CommandException with every problem of every file
     */
    public static PolicyDocuments read(List<Path> paths) {
        PolicyPathReader reader = new PolicyPathReader();
        paths.forEach(reader::addPath);
        return reader.finish();
    }

    private void addPath(Path path) {
        try {
            ManifestDirectory.manifests(path).forEach(this::addFile);
            if (Files.isDirectory(path)) {
                hasManifests = true;
                ManifestDirectory.files(path, file -> file.toString().endsWith(".jsonl"))
                        .forEach(this::addFile);
            }
        } catch (ProblemsException e) {
            problems.addAll(e.problems());
        }
    }

    private void addFile(ManifestDirectory.Manifest file) {
        try {
            String text = SourceReader.readText(file.path());
            if (isPolicyFile(file.name(), text)) {
                hasLines = true;
                lines.addAll(AbacFile.parse(file.name(), text).lines());
            } else {
                hasManifests = true;
                manifests.add(file.name(), text);
            }
        } catch (ProblemsException e) {
            problems.addAll(e.problems());
        }
    }

    /** Returns whether a text is a policy file: by its extension, or if its first line is an object that is not a manifest. */
    static boolean isPolicyFile(String name, String text) {
        if (name.endsWith(".jsonl") || name.endsWith(".yaml") || name.endsWith(".yml")) {
            return name.endsWith(".jsonl");
        }
        String first = text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .findFirst()
                .orElse("");
        if (!first.startsWith("{") || !first.endsWith("}")) {
            return false;
        }
        return first.contains("\"abac.authorization.") || !first.contains("\"apiVersion\"");
    }

    private PolicyDocuments finish() {
        RbacManifests read = null;
        try {
            read = manifests.finish();
        } catch (ProblemsException e) {
            problems.addAll(e.problems());
        }
        if (read == null || !problems.isEmpty()) {
            throw CommandException.undetermined(String.valueOf(new ProblemsException(problems).getMessage()));
        }
        return new PolicyDocuments(
                hasLines ? new AbacPolicy(lines) : null, hasManifests ? read.policy() : null, read.warnings());
    }
}

package io.plat.engine.rbac.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManifestDirectoryTest {
    private final Path directory;

    ManifestDirectoryTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void theFilesOfADirectoryInTheOrderOfTheirNames() throws IOException, ProblemsException {
        for (String name : List.of("c.yaml", "a.yml", "b.json", "readme.md", ".hidden.yaml", "d.yaml.bak")) {
            write(directory.resolve(name), role(name.substring(0, 1)));
        }
        Files.createDirectory(directory.resolve("e.yaml"));
        write(directory.resolve("e.yaml/inner.yaml"), role("inner"));
        assertThat(names(read(List.of(directory)))).containsExactly("a", "b", "c");
    }

    @Test
    void aFileIsReadRegardlessOfItsName() throws IOException, ProblemsException {
        Path file = write(directory.resolve(".roles.txt"), role("x"));
        assertThat(names(read(List.of(file)))).containsExactly("x");
    }

    @Test
    void aMountedDirectoryIsReadFromOneGeneration() throws IOException, ProblemsException {
        Path old = Files.createDirectory(directory.resolve("..2026_01"));
        Path next = Files.createDirectory(directory.resolve("..2026_02"));
        write(old.resolve("r.yaml"), role("old"));
        write(next.resolve("r.yaml"), role("new"));
        Path data = Files.createSymbolicLink(directory.resolve("..data"), Path.of("..2026_01"));
        Files.createSymbolicLink(directory.resolve("r.yaml"), Path.of("..data", "r.yaml"));
        RbacManifests manifests = read(List.of(directory));
        assertThat(names(manifests)).containsExactly("old");
        assertThat(manifests.policy().roles().getFirst().source()).isEqualTo(directory.resolve("r.yaml") + ":1");
        Files.delete(data);
        Files.createSymbolicLink(data, Path.of("..2026_02"));
        assertThat(names(read(List.of(directory)))).containsExactly("new");
    }

    @Test
    void everyProblemOfEveryFileIsReported() throws IOException {
        Path good = write(directory.resolve("good.yaml"), role("x"));
        Path bad = write(directory.resolve("bad.yaml"), "kind: Role\n");
        Path broken = write(directory.resolve("broken.yaml"), "a: [\n");
        Path missing = directory.resolve("missing.yaml");
        assertThatThrownBy(() -> read(List.of(good, missing, broken, bad)))
                .isInstanceOfSatisfying(
                        ProblemsException.class,
                        e -> assertThat(e.problems())
                                .map(problem -> problem.where().file())
                                .containsExactly(missing.toString(), broken.toString(), bad.toString()));
    }

    @Test
    void invalidUtf8IsAProblemOfItsLine() throws IOException {
        byte[] content = (yamlRole("x") + "---\n# x\n" + yamlRole("y")).getBytes(StandardCharsets.UTF_8);
        int comment = yamlRole("x").length() + "---\n# ".length();
        content[comment] = (byte) 0xff;
        Path file = Files.write(directory.resolve("a.yaml"), content);
        long line = yamlRole("x").lines().count() + 2;

        assertThatThrownBy(() -> read(List.of(file))).hasMessage(file + ":" + line + ": not valid UTF-8");
    }

    @Test
    void aByteOrderMarkIsNoPartOfAFile() throws IOException, ProblemsException {
        Path file = write(directory.resolve("a.yaml"), "\uFEFF" + yamlRole("x"));

        assertThat(names(read(List.of(file)))).containsExactly("x");
    }

    @Test
    void oneObjectInTwoFilesIsAProblemThatNamesBoth() throws IOException {
        write(directory.resolve("a.yaml"), role("x"));
        write(directory.resolve("b.yaml"), "# again\n" + yamlRole("x"));
        assertThatThrownBy(() -> read(List.of(directory)))
                .hasMessage(directory.resolve("b.yaml") + ":2: duplicate \"ClusterRole/x\", first in "
                        + directory.resolve("a.yaml") + ":1");
    }

    @Test
    void otherObjectsAreIgnoredWithAWarning() throws IOException, ProblemsException {
        write(directory.resolve("a.yaml"), yamlRole("x") + "---\napiVersion: v1\nkind: ConfigMap\nanything: 1\n");
        RbacManifests manifests = read(List.of(directory));
        assertThat(names(manifests)).containsExactly("x");
        assertThat(manifests.warnings())
                .map(Object::toString)
                .containsExactly(
                        directory.resolve("a.yaml") + ":5: left out: \"ConfigMap\" of \"v1\" is not a role object");
    }

    @Test
    void listsOfAllShapes() throws ProblemsException {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("lists.json", """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleList","metadata":{},
                 "items":[{"metadata":{"name":"a"}},{"apiVersion":"rbac.authorization.plat.io/v1alpha1","kind":"ClusterRole","metadata":{"name":"b"}}]}
                {"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"List","items":[
                  {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"c"}}]}]}
                """);
        assertThat(names(reader.finish())).containsExactly("a", "b", "c");
    }

    @Test
    void anItemOfAPlainListNeedsItsKind() {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("f", "apiVersion: v1\nkind: List\nitems:\n- metadata: {name: x}\n");
        assertThatThrownBy(reader::finish).hasMessage("f:4: apiVersion: required\nf:4: kind: required");
    }

    private static List<String> names(RbacManifests manifests) {
        return manifests.policy().roles().stream()
                .map(role -> role.key().name())
                .toList();
    }

    private static String role(String name) {
        return """
                {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "%s"},
                 "rules": []}
                """.formatted(name);
    }

    private static String yamlRole(String name) {
        return "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: " + name + "}\n";
    }

    private static Path write(Path file, String text) throws IOException {
        return Files.writeString(file, text);
    }

    private static RbacManifests read(List<Path> paths) throws ProblemsException {
        List<Problem> problems = new ArrayList<>();
        RbacManifestReader reader = new RbacManifestReader();
        for (Path path : paths) {
            for (ManifestDirectory.Manifest manifest : ManifestDirectory.manifests(path)) {
                try {
                    reader.add(manifest.name(), SourceReader.readBytes(manifest.path()));
                } catch (ProblemsException e) {
                    problems.addAll(e.problems());
                }
            }
        }
        try {
            RbacManifests read = reader.finish();
            if (problems.isEmpty()) {
                return read;
            }
        } catch (ProblemsException e) {
            problems.addAll(e.problems());
        }
        throw new ProblemsException(problems);
    }
}

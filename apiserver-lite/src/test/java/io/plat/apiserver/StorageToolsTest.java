package io.plat.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedContents;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.ContentsDigest;
import io.plat.apiserver.storage.move.ListedContents;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;
import io.plat.http.commandline.UsageException;
import io.plat.http.process.StartException;
import io.plat.http.process.ToolProgram;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Command lines of backup, restore and migrate, and their effect on directories and files. */
final class StorageToolsTest {
    private final Path directory;

    StorageToolsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static ToolProgram tool(String name) {
        return Objects.requireNonNull(StoreTool.ALL.get(name)).apply("1");
    }

    private static FlagValues parse(ToolProgram tool, String... arguments) throws UsageException {
        return ((FlagSet.Request.Run) tool.flags().parse(arguments)).values();
    }

    private static String run(String name, String... arguments) throws UsageException, StartException {
        ToolProgram tool = tool(name);
        return tool.run(parse(tool, arguments));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
        migrate | none | --from-data-dir: required, expected a directory, or --from-etcd-servers; --to-data-dir: required, expected a directory, or --to-etcd-servers
        migrate | --from-data-dir=a | --to-data-dir: required, expected a directory, or --to-etcd-servers
        migrate | --from-data-dir=a --from-etcd-servers=http://b:1 --to-data-dir=c | --from-etcd-servers: cannot be combined with --from-data-dir
        migrate | --from-data-dir=a --to-data-dir=c --to-etcd-cafile=d | --to-etcd-cafile: cannot be combined with --to-data-dir
        migrate | --from-data-dir=a --to-etcd-servers=http://b:1 --to-etcd-certfile=d | --to-etcd-keyfile: required, expected the key of --to-etcd-certfile
        migrate | --from-data-dir=a --to-etcd-servers=b | --to-etcd-servers: invalid value "b", expected a URL as in https://127.0.0.1:2379
        migrate | --from-data-dir=a --to-data-dir=b --event-ttl=0s | --event-ttl: invalid value "0s", expected a duration longer than 0s, such as 5m or 30s
        restore | --data-dir=a | --from-file: required, expected a file, or --from
        restore | --data-dir=a --from=b --from-file=c | --from-file: cannot be combined with --from
        restore | --from-file=c | --data-dir: required, expected a directory, or --etcd-servers
        restore | --from-file=c --data-dir=a --bump-revision=-1 | --bump-revision: invalid value "-1", expected a number from 0 to 1000000000
        backup  | --data-dir=a | --to: required, expected a directory, or --to-file
        backup  | --data-dir=a --to=b --to-file=c | --to: cannot be combined with --to-file
        backup  | --etcd-servers=http://b:1 --to=b | --to: requires --data-dir
        backup  | --to-file=b | --data-dir: required, expected a directory, or --etcd-servers
        """)
    void problemsAreReported(String name, String words, String message) {
        String[] arguments = words == null ? new String[0] : words.split(" ");
        assertThatThrownBy(() -> parse(tool(name), arguments))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        e -> assertThat(e.problems()).containsExactlyInAnyOrder(message.split("; ")));
    }

    private Path store(String name, String... keys) throws StorageException {
        Path data = directory.resolve(name);
        try (ObjectStore store = EmbeddedStore.open(data, StoreOptions.keeping(new HistoryPolicy.Changes(10)))) {
            for (String key : keys) {
                store.commit(Transaction.create(Key.parse(key), key.getBytes(UTF_8)));
            }
        }
        return data;
    }

    private static List<String> read(Path data) throws StorageException {
        var read = new ArrayList<String>();
        try (Contents contents = EmbeddedContents.openOnline(data)) {
            contents.forEach(kept -> read.add(kept.key().path() + "=" + new String(kept.bytes(), UTF_8)));
        }
        return read;
    }

    @Test
    void backsUpAndRestoresADirectory() throws Exception {
        Path data = store("data", "pods/a/x", "events/a/e");
        Path file = directory.resolve("backup");
        Path other = directory.resolve("other");
        assertThat(run("backup", "--data-dir=" + data, "--to-file=" + file))
                .matches("objects: 2\nsha256: [0-9a-f]{64}\nrevision: 2\nverified by reading it back\n");
        assertThat(run("restore", "--data-dir=" + other, "--from-file=" + file)).contains("""
                        revision: 1000000002
                        verified by reading it back
                        access that was revoked since the backup is not listed: no earlier role objects could be read""");
        assertThat(read(other)).isEqualTo(read(data)).hasSize(2);
        Path third = directory.resolve("third");
        assertThat(run("migrate", "--from-data-dir", other.toString(), "--to-data-dir", third.toString()))
                .contains("objects: 2\n", "revision: 1000000005\n");
        assertThat(run("restore", "--data-dir=" + third, "--from=" + data, "--force", "--bump-revision=5"))
                .contains("objects: 2\n", "revision: 7\n");
        assertThat(read(third)).isEqualTo(read(data));
        assertThatThrownBy(() -> run("restore", "--data-dir=" + third, "--from=" + data))
                .isInstanceOfSatisfying(
                        StartException.class,
                        e -> assertThat(e.problems())
                                .containsExactly("restore: \"" + third
                                        + "\" already contains a store; use --force to replace it"));
        assertThatThrownBy(() -> run("restore", "--data-dir=" + third, "--from-file=" + third, "--force"))
                .isInstanceOfSatisfying(
                        StartException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .asString()
                                .startsWith("--from-file: cannot read"));
    }

    @Test
    void progressIsShownOnATerminal() throws StartException {
        var shown = new ByteArrayOutputStream();
        var terminal = StoreTransfer.Terminal.on(new PrintStream(shown, true, UTF_8));
        new StoreTransfer("migrate", () -> ListedContents.of(1, 2500), "--from", terminal)
                .copyTo((contents, behind) -> ContentsDigest.of(contents), 0);
        assertThat(shown.toString(UTF_8).split("\r\u001b\\[K", -1))
                .containsExactly("", "migrate: 1,000 of 2,500 objects", "migrate: 2,000 of 2,500 objects", "");
    }
}

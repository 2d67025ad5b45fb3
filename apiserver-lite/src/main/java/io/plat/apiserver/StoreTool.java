package io.plat.apiserver;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedContents;
import io.plat.apiserver.storage.embedded.StoreBackup;
import io.plat.apiserver.storage.embedded.StoreCheck;
import io.plat.apiserver.storage.move.BackupFile;
import io.plat.apiserver.storage.move.BackupWriter;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.stored.StorageRegistry;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.StartException;
import io.plat.http.process.ToolProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Command on the contents of stores, such as {@code apiserver-lite backup}. */
record StoreTool(FlagSet flags, Command command) implements ToolProgram {
    static final String BACKUP = "backup";
    static final String CHECK = "check";
    static final String MIGRATE = "migrate";
    static final String RESTORE = "restore";

    /** Commands by name, as factories that take the program's version. */
    static final Map<String, Function<String, ToolProgram>> ALL = Map.of(
            BACKUP, StoreTool::backup,
            CHECK, StoreTool::check,
            MIGRATE, StoreTool::migrate,
            RESTORE, StoreTool::restore);

    interface Command {
        String run(FlagValues values) throws StartException;
    }

    @Override
    public String run(FlagValues values) throws StartException {
        return command.run(values);
    }

    private static FlagSet flags(String name, String version) {
        return FlagSet.of(StoreTool.class, name, version);
    }

    private static StoreTransfer transfer(String name, StoreTransfer.StorageSupplier<Contents> contents, String from) {
        return new StoreTransfer(name, contents, from, StoreTransfer.Terminal.ofProcess());
    }

    /** Returns the command that copies the contents of a store, even while servers use it. */
    private static ToolProgram backup(String version) {
        FlagSet flags = flags(BACKUP, version);
        var from = new StoreLocation(flags, "");
        Flag<Optional<Path>> file = flags.optional("to-file", FlagType.PATH);
        Flag<Optional<Path>> directory = flags.optional("to", FlagType.DIRECTORY);
        Flag<Boolean> force = flags.toggle("force");
        flags.checkOneOf(directory, file);
        flags.check((values, problems) -> {
            if (values.isSet(directory) && !values.isSet(file) && !values.isSet(from.directory())) {
                problems.add(directory, "requires " + from.directory().dashed());
            }
        });
        return new StoreTool(flags, values -> {
            boolean replaces = values.get(force);
            Optional<Path> target = values.get(file);
            if (target.isPresent()) {
                return transfer(BACKUP, () -> from.onlineContents(values), from.named(values))
                        .copyTo(new BackupWriter(target.get(), replaces), 0);
            }
            try {
                Path source = values.get(from.directory()).orElseThrow();
                return text(
                        directory,
                        StoreBackup.copy(source, values.get(directory).orElseThrow(), replaces));
            } catch (StorageException unusable) {
                throw new StartException(List.of(BACKUP + ": " + unusable.getMessage()));
            }
        });
    }

    /** Returns the command that verifies the contents of a store, and removes entries of unknown types. */
    private static ToolProgram check(String version) {
        FlagSet flags = flags(CHECK, version);
        var location = new StoreLocation(flags, "");
        Flag<Boolean> remove = flags.toggle("remove-foreign");
        return new StoreTool(flags, values -> {
            try {
                Optional<Path> directory = values.get(location.directory());
                String summary =
                        directory.isEmpty() ? "" : text(location.directory(), StoreCheck.check(directory.get()));
                return summary + foreign(location, values, values.get(remove));
            } catch (StorageException unusable) {
                throw new StartException(List.of(location.named(values) + ": " + unusable.getMessage()));
            }
        });
    }

    private static String foreign(StoreLocation location, FlagValues values, boolean removes) throws StorageException {
        StorageRegistry registry = new StorageRegistry(ResourceCatalog.builtIn());
        Predicate<Entry> foreign = registry.foreign().or(registry::definesBuiltIn);
        List<Key> keys = new ArrayList<>();
        try (Contents contents = location.onlineContents(values)) {
            contents.forEach(kept -> {
                // The revision does not matter here.
                if (foreign.test(new Entry(kept.key(), kept.bytes(), 1))) {
                    keys.add(kept.key());
                }
            });
        }
        if (removes && !keys.isEmpty()) {
            try (ObjectStore store = location.open(values)) {
                for (Key key : keys) {
                    Optional<Entry> entry = store.latest().get(key).filter(foreign);
                    if (entry.isPresent()) {
                        store.commit(Transaction.delete(entry.get()));
                    }
                }
            }
        }
        var text = new StringBuilder();
        keys.forEach(key -> text.append(removes ? "removed: " : "foreign: ")
                .append(ForeignObjects.shown(key))
                .append('\n'));
        return text.toString();
    }

    /**
     * Returns the counts of a consistent store.
     *
     * @throws StartException if the store is damaged
     */
    private static String text(Flag<?> named, StoreCheck.Report report) throws StartException {
        if (!report.problems().isEmpty()) {
            throw new StartException(report.problems().stream()
                    .map(problem -> named.dashed() + ": " + problem)
                    .toList());
        }
        return String.format(
                Locale.ROOT,
                "objects: %d\nrevision: %d\nhistory: %d changes after revision %d\nbytes: %d\nno damage\n",
                report.objects(),
                report.revision(),
                report.changes(),
                report.floor(),
                report.bytes());
    }

    /** Returns the command that copies everything in one store to another. */
    private static ToolProgram migrate(String version) {
        FlagSet flags = flags(MIGRATE, version);
        var from = new StoreLocation(flags, "from-");
        var to = new StoreLocation(flags, "to-");
        Flag<Duration> eventLifetime = StorageFlags.eventLifetime(flags);
        Flag<Boolean> force = flags.toggle("force");
        return new StoreTool(flags, values -> {
            Map<String, Duration> lifetimes = StorageFactory.lifetimes(values.get(eventLifetime));
            boolean ages = !values.isSet(to.directory());
            boolean replaces = values.get(force);
            RestoredAccess.Replacement move = () -> transfer(
                            MIGRATE, () -> from.contents(values, ages ? lifetimes : Map.of()), from.named(values))
                    .copyTo(to.destination(values, replaces, lifetimes), 0);
            return replaces ? RestoredAccess.listed(() -> to.onlineContents(values), move) : move.run();
        });
    }

    /** Returns the command that replaces the contents of a store by a backup. */
    private static ToolProgram restore(String version) {
        FlagSet flags = flags(RESTORE, version);
        Flag<Optional<Path>> file = flags.optional("from-file", FlagType.PATH);
        Flag<Optional<Path>> directory = flags.optional("from", FlagType.DIRECTORY);
        var to = new StoreLocation(flags, "");
        Flag<Integer> bump = flags.value("bump-revision", FlagType.COUNT);
        Flag<Duration> eventLifetime = StorageFlags.eventLifetime(flags);
        Flag<Boolean> force = flags.toggle("force");
        flags.checkOneOf(file, directory);
        return new StoreTool(flags, values -> {
            Optional<Path> from = values.get(file);
            Map<String, Duration> lifetimes = StorageFactory.lifetimes(values.get(eventLifetime));
            StoreTransfer transfer = transfer(
                    RESTORE,
                    () -> from.isPresent()
                            ? BackupFile.open(from.get())
                            : EmbeddedContents.open(values.get(directory).orElseThrow(), EmbeddedContents.Expiry.NONE),
                    (from.isPresent() ? file : directory).dashed());
            return RestoredAccess.listed(
                    () -> to.onlineContents(values),
                    () -> transfer.copyTo(to.destination(values, values.get(force), lifetimes), values.get(bump)));
        });
    }
}

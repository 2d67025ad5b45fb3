package io.plat.apiserver;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.StoreCheck;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.stored.StorageRegistry;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.StartException;
import io.plat.http.process.ToolProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** The {@code apiserver-lite check} command: verifies the contents of a store, and removes entries of unknown types. */
final class CheckTool implements ToolProgram {
    static final String NAME = "check";

    private final FlagSet flags;
    private final StoreLocation location;
    private final Flag<Boolean> remove;

    CheckTool(String version) {
        flags = FlagSet.of(CheckTool.class, NAME, version);
        location = new StoreLocation(flags, "");
        remove = flags.toggle("remove-foreign");
    }

    @Override
    public FlagSet flags() {
        return flags;
    }

    @Override
    public String run(FlagValues values) throws StartException {
        try {
            Optional<Path> folder = values.get(location.directory());
            String summary = folder.isEmpty() ? "" : text(location.directory(), StoreCheck.check(folder.get()));
            return summary + foreign(values);
        } catch (StorageException unusable) {
            throw new StartException(List.of(location.named(values) + ": " + unusable.getMessage()));
        }
    }

    private String foreign(FlagValues values) throws StorageException {
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
        boolean removes = values.get(remove);
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
     * @throws StartException with all problems of an inconsistent one
     */
    static String text(Flag<?> named, StoreCheck.Report report) throws StartException {
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
}

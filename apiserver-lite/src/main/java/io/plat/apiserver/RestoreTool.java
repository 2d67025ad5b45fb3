package io.plat.apiserver;

import io.plat.apiserver.storage.embedded.EmbeddedContents;
import io.plat.apiserver.storage.move.BackupFile;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.StartException;
import io.plat.http.process.ToolProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The {@code apiserver-lite restore} command: replaces the contents of a store by a backup. */
final class RestoreTool implements ToolProgram {
    static final String NAME = "restore";

    private final FlagSet flags;
    private final Flag<Optional<Path>> file;
    private final Flag<Optional<Path>> folder;
    private final StoreLocation to;
    private final Flag<Integer> bump;
    private final Flag<Duration> eventLifetime;
    private final Flag<Boolean> force;

    RestoreTool(String version) {
        flags = FlagSet.of(RestoreTool.class, NAME, version);
        file = flags.optional("from-file", FlagType.PATH);
        folder = flags.optional("from", FlagType.FOLDER);
        to = new StoreLocation(flags, "");
        bump = flags.value("bump-revision", FlagType.COUNT);
        eventLifetime = StorageFlags.eventLifetime(flags);
        force = flags.toggle("force");
        flags.checkOneOf(file, folder);
    }

    @Override
    public FlagSet flags() {
        return flags;
    }

    @Override
    public String run(FlagValues values) throws StartException {
        Optional<Path> from = values.get(file);
        return RestoredAccess.listed(
                () -> to.onlineContents(values),
                () -> new StoreTransfer(
                                NAME,
                                () -> from.isPresent()
                                        ? BackupFile.open(from.get())
                                        : EmbeddedContents.open(
                                                values.get(folder).orElseThrow(), EmbeddedContents.Expiry.NONE),
                                (from.isPresent() ? file : folder).dashed(),
                                StoreTransfer.Terminal.ofProcess())
                        .copyTo(
                                to.destination(
                                        values, values.get(force), StorageFactory.lifetimes(values.get(eventLifetime))),
                                values.get(bump)));
    }
}

package io.plat.apiserver;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.embedded.StoreBackup;
import io.plat.apiserver.storage.embedded.StoreCheck;
import io.plat.apiserver.storage.move.BackupWriter;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.StartException;
import io.plat.http.process.ToolProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The {@code apiserver-lite backup} command: copies the contents of a store, even while servers use it. */
final class BackupTool implements ToolProgram {
    static final String NAME = "backup";

    private final FlagSet flags;
    private final StoreLocation from;
    private final Flag<Optional<Path>> file;
    private final Flag<Optional<Path>> folder;
    private final Flag<Boolean> force;

    BackupTool(String version) {
        flags = FlagSet.of(BackupTool.class, NAME, version);
        from = new StoreLocation(flags, "");
        file = flags.optional("to-file", FlagType.PATH);
        folder = flags.optional("to", FlagType.FOLDER);
        force = flags.toggle("force");
        flags.checkOneOf(folder, file);
        flags.check(this::check);
    }

    private void check(FlagValues values, FlagProblems problems) {
        if (values.isSet(folder) && !values.isSet(file) && !values.isSet(from.directory())) {
            problems.add(folder, "requires " + from.directory().dashed());
        }
    }

    @Override
    public FlagSet flags() {
        return flags;
    }

    @Override
    public String run(FlagValues values) throws StartException {
        Optional<Path> target = values.get(file);
        return target.isPresent()
                ? new StoreTransfer(
                                NAME,
                                () -> from.onlineContents(values),
                                from.named(values),
                                StoreTransfer.Terminal.ofProcess())
                        .copyTo(new BackupWriter(target.get(), values.get(force)), 0)
                : copyFolder(values);
    }

    private String copyFolder(FlagValues values) throws StartException {
        StoreCheck.Report report;
        try {
            report = StoreBackup.copy(
                    values.get(from.directory()).orElseThrow(),
                    values.get(folder).orElseThrow(),
                    values.get(force));
        } catch (StorageException unusable) {
            throw new StartException(List.of(NAME + ": " + unusable.getMessage()));
        }
        return CheckTool.text(folder, report);
    }
}

package io.plat.apiserver;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.embedded.StoreBackup;
import io.plat.apiserver.storage.embedded.StoreCheck;
import io.plat.apiserver.storage.move.BackupWriting;
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

/** {@code apiserver-lite backup}: a copy of what a store keeps, whether servers work on it or not. */
final class BackupTool implements ToolProgram {
    static final String NAME = "backup";
    static final String HELP =
            "Copies what a store keeps, while servers work on it or not: into a file, which restore reads, or the "
                    + "embedded one into a folder that a server can start from. The copy is checked.";

    private final FlagSet flags;
    private final StoragePlace from;
    private final Flag<Optional<Path>> file;
    private final Flag<Optional<Path>> folder;
    private final Flag<Boolean> force;

    BackupTool(String version) {
        flags = new FlagSet(new FlagSet.Program("apiserver-lite " + NAME, version, HELP));
        flags.group("Storage");
        from = new StoragePlace(flags, "");
        flags.group("Backup");
        file = flags.optional("to-file", FlagType.PATH, "The file of the copy.");
        folder = flags.optional(
                "to", FlagType.FOLDER, "The folder of the copy; made where it does not exist. Only with --data-dir.");
        force = flags.toggle("force", false, "Replace a file or store that is there already.");
        flags.checkOneOf(folder, file);
        flags.check(this::check);
    }

    private void check(FlagValues values, FlagProblems problems) {
        if (values.given(folder) && !values.given(file) && !values.given(from.directory())) {
            problems.add(folder, "only with " + from.directory().dashed());
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
                ? new Moving(
                                NAME,
                                () -> from.contentsBesideServers(values),
                                from.named(values),
                                Moving.Terminal.ofProcess())
                        .to(new BackupWriting(target.get(), values.get(force)), 0)
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

package io.plat.apiserver;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreBackup;
import io.plat.apiserver.storage.StoreCheck;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.StartException;
import io.plat.http.process.ToolProgram;
import java.nio.file.Path;
import java.util.List;

/** {@code apiserver-lite backup}: a copy of what the embedded storage keeps, whether a server runs on it or not. */
final class BackupTool implements ToolProgram {
    static final String NAME = "backup";
    static final String HELP =
            "Copies what --data-dir keeps, while a server runs on it or not, into a folder that a server can "
                    + "start from, and checks the copy.";

    private final FlagSet flags;
    private final Flag<Path> directory;
    private final Flag<Path> target;
    private final Flag<Boolean> force;

    BackupTool(String version) {
        flags = new FlagSet(new FlagSet.Program("apiserver-lite " + NAME, version, HELP));
        flags.group("Storage");
        directory = flags.required("data-dir", FlagType.PATH, "The folder of the embedded store.");
        target = flags.required("to", FlagType.PATH, "The folder of the copy; made where it does not exist.");
        force = flags.toggle("force", false, "Replace a store that is in the folder of the copy already.");
    }

    @Override
    public FlagSet flags() {
        return flags;
    }

    @Override
    public String run(FlagValues values) throws StartException {
        StoreCheck.Report report;
        try {
            report = StoreBackup.copy(values.get(directory), values.get(target), values.get(force));
        } catch (StorageException unusable) {
            throw new StartException(List.of(NAME + ": " + unusable.getMessage()));
        }
        return CheckTool.text(target, report);
    }
}

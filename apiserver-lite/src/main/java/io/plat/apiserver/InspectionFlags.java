package io.plat.apiserver;

import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.FolderLog;
import io.plat.http.process.Opened;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The flag about what operators may look into. */
final class InspectionFlags {
    private final Flag<Optional<Path>> logs;

    InspectionFlags(FlagSet flags) {
        flags.group("Inspection");
        logs = flags.optional(
                "log-dir",
                FlagType.FOLDER,
                "A folder in which the log is kept too, and whose files /logs shows; no /logs without it.");
    }

    /** The folder whose files are shown. */
    Optional<Path> logs(FlagValues values) {
        return values.get(logs);
    }

    /** Begins to keep the log there, where a folder is given. */
    void keepLog(FlagValues values, Opened opened, StartException.Collector problems) {
        Optional<Path> folder = logs(values);
        if (folder.isPresent()) {
            try {
                opened.with(FolderLog.begin(folder.get(), "apiserver-lite"));
            } catch (IOException unusable) {
                problems.add(logs.dashed(), String.valueOf(unusable.getMessage()));
            }
        }
    }
}

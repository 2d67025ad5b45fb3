package io.plat.apiserver;

import io.plat.apiserver.podlog.PodLogDirectory;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.FolderLog;
import io.plat.http.process.OpenResources;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Flags for the logs that operators may read: the server's own, and those of pods. */
final class InspectionFlags {
    private final Flag<Optional<Path>> logs;
    private final Flag<Optional<Path>> podLogs;

    InspectionFlags(FlagSet flags) {
        logs = flags.optional("log-dir", FlagType.FOLDER);
        podLogs = flags.optional("pod-log-dir", FlagType.FOLDER);
    }

    /** Returns the directory of the log files. */
    Optional<Path> logs(FlagValues values) {
        return values.get(logs);
    }

    /** Starts writing the log to the folder, if one is set. */
    void startLog(FlagValues values, OpenResources opened, StartException.Collector problems) {
        Optional<Path> folder = logs(values);
        if (folder.isPresent()) {
            try {
                opened.with(FolderLog.begin(folder.get(), "apiserver-lite"));
            } catch (IOException unusable) {
                problems.add(logs.dashed(), String.valueOf(unusable.getMessage()));
            }
        }
    }

    /** Returns the directory of pod logs; null if none is set. */
    @Nullable
    PodLogDirectory podLogs(FlagValues values) throws StartException {
        @Nullable Path named = values.get(podLogs).orElse(null);
        try {
            return named == null ? null : PodLogDirectory.open(named);
        } catch (IOException e) {
            throw new StartException(List.of(
                    "--pod-log-dir: " + named + " is not a readable directory, expected one such as /var/log/pods"));
        }
    }
}

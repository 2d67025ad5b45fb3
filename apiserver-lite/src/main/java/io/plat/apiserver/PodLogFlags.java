package io.plat.apiserver;

import io.plat.apiserver.podlog.LogFolder;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flag about what pods write. */
final class PodLogFlags {
    private final Flag<Optional<Path>> folder;

    PodLogFlags(FlagSet flags) {
        flags.group("Pods");
        folder = flags.optional(
                "pod-log-dir",
                FlagType.FOLDER,
                "Where a container runtime keeps the logs of pods, NAMESPACE_POD_UID/CONTAINER/RUN.log; without it none are shown.");
    }

    /** The folder that the flag names; null where it is not given. */
    @Nullable
    LogFolder folder(FlagValues values) throws StartException {
        @Nullable Path named = values.find(folder).flatMap(given -> given).orElse(null);
        try {
            return named == null ? null : LogFolder.open(named);
        } catch (IOException e) {
            throw new StartException(List.of(
                    "--pod-log-dir: " + named + " is no folder that can be read, expected one such as /var/log/pods"));
        }
    }
}

package io.plat.apiserver;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The flags about where objects are kept, and for how long their past is. */
final class StorageFlags {
    final Flag<Path> dataDirectory;
    final Flag<HistoryPolicy> history;
    final Flag<Duration> continueTtl;

    StorageFlags(FlagSet flags) {
        flags.group("Storage");
        flags.value("storage-backend", FlagType.word(List.of("embedded")), "embedded", "What keeps the objects.");
        dataDirectory = flags.required(
                "data-dir", FlagType.PATH, "The folder of the embedded store; made where it does not exist.");
        history = flags.value(
                "watch-history",
                new FlagType<>("HISTORY", "duration:5m or changes:1000", StorageFlags::history),
                "duration:5m",
                "How much of the past is kept for watches and chunked lists.");
        continueTtl = flags.value(
                "continue-token-ttl",
                FlagType.POSITIVE_DURATION,
                "5m",
                "How long after a chunk of a list the rest of it can be asked for.");
    }

    private static Optional<HistoryPolicy> history(String text) {
        try {
            return Optional.of(HistoryPolicy.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

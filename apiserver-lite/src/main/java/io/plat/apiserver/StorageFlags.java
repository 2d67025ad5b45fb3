package io.plat.apiserver;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Flags for the storage backend and the retention of history. */
final class StorageFlags {
    private static final String EMBEDDED = "embedded";

    final Flag<HistoryPolicy> history;
    final Flag<Duration> continueTtl;
    final Flag<Duration> eventLifetime;
    final Flag<Duration> progressTimeout;
    final EtcdFlags etcd;
    private final Flag<String> backend;
    private final Flag<Optional<Path>> dataDirectory;

    StorageFlags(FlagSet flags) {
        backend = flags.value("storage-backend", FlagType.word(List.of(EMBEDDED, EtcdFlags.BACKEND)));
        dataDirectory = flags.optional("data-dir", FlagType.DIRECTORY);
        etcd = new EtcdFlags(flags, "", "requires --storage-backend=" + EtcdFlags.BACKEND);
        progressTimeout = flags.value("etcd-progress-timeout", FlagType.POSITIVE_DURATION);
        eventLifetime = eventLifetime(flags);
        history = flags.value("watch-history", new FlagType<>("duration:5m or changes:1000", HistoryPolicy::parse));
        continueTtl = flags.value("continue-token-ttl", FlagType.POSITIVE_DURATION);
        flags.check(this::check);
    }

    static Flag<Duration> eventLifetime(FlagSet flags) {
        return flags.value("event-ttl", FlagType.POSITIVE_DURATION);
    }

    private void check(FlagValues values, FlagProblems problems) {
        Optional<Path> directory = values.findOptional(dataDirectory);
        switch (values.find(backend).orElse("")) {
            case EMBEDDED -> {
                if (values.find(dataDirectory).filter(Optional::isEmpty).isPresent()) {
                    problems.add(dataDirectory, "required, expected " + FlagType.DIRECTORY.expected());
                }
                etcd.reject(values, problems);
            }
            case EtcdFlags.BACKEND -> {
                if (directory.isPresent()) {
                    problems.add(dataDirectory, "requires --storage-backend=" + EMBEDDED);
                }
                etcd.require(values, problems);
            }
            default -> {
                // Invalid, which has been reported already.
            }
        }
    }

    /** Returns the directory of the embedded store; empty if objects are in etcd. */
    Optional<Path> dataDirectory(FlagValues values) {
        return values.get(dataDirectory);
    }

    String flag(FlagValues values) {
        return dataDirectory(values).isPresent() ? "--data-dir" : "--etcd-servers";
    }
}

package io.plat.apiserver;

import io.plat.http.HttpLimits;
import io.plat.http.HttpsSettings;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.ListenFlags;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Flags for the listen address, client certificates and concurrency limits. */
final class ServingFlags {
    final ListenFlags listen;
    final Flag<Optional<Path>> clientAuthorities;
    final Flag<Optional<Path>> tokenFile;
    final Flag<Boolean> anonymous;
    final Flag<Integer> maxReading;
    final Flag<Integer> maxMutating;
    final Flag<Duration> shutdownDelay;
    private final Flag<Duration> requestTimeout;

    ServingFlags(FlagSet flags) {
        listen = new ListenFlags(flags);
        maxReading = flags.value("max-requests-inflight", FlagType.COUNT);
        maxMutating = flags.value("max-mutating-requests-inflight", FlagType.COUNT);
        requestTimeout = flags.value("request-timeout", FlagType.POSITIVE_DURATION);
        shutdownDelay = flags.value("shutdown-delay-duration", FlagType.DURATION);
        clientAuthorities = flags.optional("client-ca-file", FlagType.PATH);
        tokenFile = flags.optional("token-auth-file", FlagType.PATH);
        anonymous = flags.toggle("anonymous-auth");
    }

    /** Returns the serving settings, with limits from flags. */
    HttpsSettings settings(FlagValues values, HttpLimits standard) {
        HttpLimits limits = new HttpLimits(
                standard.requestHeaderBytes(),
                standard.requestHeaders(),
                standard.bodyBytes(),
                standard.idleTimeout(),
                values.get(requestTimeout),
                standard.connections());
        return listen.settings(values, limits, false);
    }
}

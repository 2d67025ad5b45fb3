package io.plat.apiserver;

import io.plat.http.HttpLimits;
import io.plat.http.HttpsSettings;
import io.plat.http.WebOrigin;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The flags about where the server listens, whom it believes and how much it takes on. */
final class ServingFlags {
    final Flag<Path> certificate;
    final Flag<Path> key;
    final Flag<Optional<Path>> clientAuthorities;
    final Flag<Optional<Path>> tokenFile;
    final Flag<Boolean> anonymous;
    final Flag<Integer> maxReading;
    final Flag<Integer> maxMutating;
    final Flag<Duration> shutdownDelay;
    private final Flag<List<WebOrigin>> allowedOrigins;
    private final Flag<InetAddress> address;
    private final Flag<Integer> port;
    private final Flag<Duration> requestTimeout;

    ServingFlags(FlagSet flags) {
        flags.group("Serving");
        address = flags.value("bind-address", FlagType.ADDRESS, "127.0.0.1", "The address to listen on.");
        port = flags.value("secure-port", FlagType.PORT, "6443", "The port to listen on; 0 picks one.");
        certificate = flags.required(
                "tls-cert-file", FlagType.PATH, "The server's certificate, PEM; re-read when it changes.");
        key = flags.required("tls-private-key-file", FlagType.PATH, "The certificate's key, PEM.");
        maxReading = flags.value(
                "max-requests-inflight",
                FlagType.COUNT,
                "400",
                "Requests that only read at a time; the excess is answered 429. 0 is no limit.");
        maxMutating = flags.value(
                "max-mutating-requests-inflight",
                FlagType.COUNT,
                "200",
                "Requests that change something at a time; the excess is answered 429. 0 is no limit.");
        requestTimeout = flags.value(
                "request-timeout",
                FlagType.POSITIVE_DURATION,
                "1m0s",
                "How long a request may take to arrive; a slower connection is closed.");
        shutdownDelay = flags.value(
                "shutdown-delay-duration",
                FlagType.DURATION,
                "0s",
                "How long to serve on after SIGTERM, while /readyz already fails.");
        allowedOrigins = flags.list(
                "allowed-origins",
                FlagType.ORIGIN,
                "Origins other than the server's own whose pages may send unsafe requests, upgrades and streams; those of all others are answered 403.");
        flags.group("Authentication");
        clientAuthorities = flags.optional(
                "client-ca-file",
                FlagType.PATH,
                "Authorities of client certificates, PEM: the common name is the user, the organisations are the groups.");
        tokenFile = flags.optional(
                "token-auth-file",
                FlagType.PATH,
                "Bearer tokens, a line token,user,uid,\"group1,group2\" each; re-read when it changes.");
        anonymous = flags.toggle(
                "anonymous-auth", true, "Serve requests without a credential as the user system:anonymous.");
    }

    /** The address to listen on. */
    InetAddress bound(FlagValues values) {
        return values.get(address);
    }

    /** Where to listen, and the limits that are no flag's with the one that is. */
    HttpsSettings settings(FlagValues values, HttpLimits standard) {
        HttpLimits limits = new HttpLimits(
                standard.requestHeaderBytes(),
                standard.requestHeaders(),
                standard.bodyBytes(),
                standard.idleTimeout(),
                values.get(requestTimeout),
                standard.connections());
        return new HttpsSettings(
                values.get(address), values.get(port), limits, false, Set.copyOf(values.get(allowedOrigins)));
    }
}

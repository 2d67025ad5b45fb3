package io.plat.apiserver;

import io.plat.apiserver.podlog.PodLogDirectory;
import io.plat.http.HttpLimits;
import io.plat.http.HttpsSettings;
import io.plat.http.authentication.oidc.OidcFlags;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.DirectoryLog;
import io.plat.http.process.ListenFlags;
import io.plat.http.process.OpenResources;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Flags of the program, with the names that kube-apiserver uses. */
final class ApiServerFlags {
    final ListenFlags listen;
    final Flag<Integer> maxReading;
    final Flag<Integer> maxMutating;
    final Flag<Duration> shutdownDelay;
    final Flag<Optional<Path>> clientAuthorities;
    final Flag<Optional<Path>> tokenFile;
    final Flag<Boolean> anonymous;
    final AccountFlags accounts;
    final FrontProxyFlags frontProxies;
    final OidcFlags oidc;
    final StorageFlags storage;
    final AuthorizationFlags authorization;
    final AuditFlags audit;
    /** Directory of the server's own log files. */
    final Flag<Optional<Path>> logs;

    final ServiceFlags services;
    private final Flag<Optional<Path>> podLogs;
    private final Flag<Duration> requestTimeout;
    private final FlagSet set;

    ApiServerFlags(String version) {
        set = FlagSet.of(ApiServerFlags.class, "apiserver-lite", version);
        listen = new ListenFlags(set);
        maxReading = set.value("max-requests-inflight", FlagType.COUNT);
        maxMutating = set.value("max-mutating-requests-inflight", FlagType.COUNT);
        requestTimeout = set.value("request-timeout", FlagType.POSITIVE_DURATION);
        shutdownDelay = set.value("shutdown-delay-duration", FlagType.DURATION);
        clientAuthorities = set.optional("client-ca-file", FlagType.PATH);
        tokenFile = set.optional("token-auth-file", FlagType.PATH);
        anonymous = set.toggle("anonymous-auth");
        accounts = new AccountFlags(set);
        frontProxies = new FrontProxyFlags(set);
        oidc = new OidcFlags(set);
        storage = new StorageFlags(set);
        authorization = new AuthorizationFlags(set);
        audit = new AuditFlags(set);
        logs = set.optional("log-dir", FlagType.DIRECTORY);
        podLogs = set.optional("pod-log-dir", FlagType.DIRECTORY);
        services = new ServiceFlags(set);
    }

    FlagSet set() {
        return set;
    }

    HttpsSettings serving(FlagValues values, HttpLimits standard) {
        HttpLimits limits = new HttpLimits(
                standard.requestHeaderBytes(),
                standard.requestHeaders(),
                standard.bodyBytes(),
                standard.idleTimeout(),
                values.get(requestTimeout),
                standard.connections());
        return listen.settings(values, limits, false);
    }

    /** Starts writing the log to the directory, if one is set. */
    void startLog(FlagValues values, OpenResources opened, StartException.Collector problems) {
        values.get(logs)
                .ifPresent(directory -> problems.open(
                        logs.dashed(), () -> opened.with(DirectoryLog.begin(directory, "apiserver-lite"))));
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

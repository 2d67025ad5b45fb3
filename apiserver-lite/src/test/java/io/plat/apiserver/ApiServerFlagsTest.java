package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.http.HttpLimits;
import io.plat.http.HttpsSettings;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;
import io.plat.http.commandline.UsageException;
import io.plat.http.process.StartException;
import io.plat.review.ReviewVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiServerFlagsTest {
    private static final List<String> LEAST = List.of("--tls-cert-file=c", "--tls-private-key-file=k", "--data-dir=d");

    private final ApiServerFlags flags = new ApiServerFlags("1.2.3");

    private FlagValues parse(String... more) throws UsageException {
        List<String> arguments = new ArrayList<>(LEAST);
        arguments.addAll(List.of(more));
        if (arguments.stream().noneMatch(argument -> argument.startsWith("--authorization-mode="))) {
            arguments.add("--authorization-mode=AlwaysAllow");
        }
        return ((FlagSet.Request.Run) flags.set().parse(arguments.toArray(String[]::new))).values();
    }

    @Test
    void otherFlagsHaveDefaults() throws UsageException {
        FlagValues values = parse();
        HttpsSettings https = flags.serving(values, HttpLimits.DEFAULT);
        assertThat(https.bindAddress().getHostAddress()).isEqualTo("127.0.0.1");
        assertThat(https.port()).isEqualTo(6443);
        assertThat(https.limits().requestTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(values.get(flags.anonymous)).isTrue();
        assertThat(values.get(flags.maxReading)).isEqualTo(400);
        assertThat(values.get(flags.maxMutating)).isEqualTo(200);
        assertThat(values.get(flags.shutdownDelay)).isZero();
        assertThat(values.get(flags.tokenFile)).isEmpty();
        assertThat(values.get(flags.clientAuthorities)).isEmpty();
        assertThat(values.get(flags.storage.history)).isEqualTo(new HistoryPolicy.Age(Duration.ofMinutes(5)));
        assertThat(flags.authorization.superUser(values)).isNull();
        assertThat(flags.authorization.policy.reloads(values)).isFalse();
        assertThat(values.get(flags.authorization.alwaysAllowPaths)).isEmpty();
        assertThat(flags.authorization.runtimeConfig(values).switches()).isEmpty();
    }

    @Test
    void everyFlagIsParsed() throws UsageException {
        FlagValues values = parse(
                "--bind-address=127.0.0.2",
                "--secure-port=7443",
                "--request-timeout=10s",
                "--anonymous-auth=false",
                "--max-requests-inflight=7",
                "--max-mutating-requests-inflight=3",
                "--shutdown-delay-duration=2s",
                "--token-auth-file=t.csv",
                "--client-ca-file=ca.crt",
                "--watch-history=changes:1000",
                "--authorization-mode=Webhook,RBAC",
                "--authorization-rbac-super-user=root",
                "--authorization-always-allow-paths=/healthz,/openapi/*",
                "--authorization-webhook-config-file=w.conf",
                "--authorization-webhook-version=authorization.k8s.io/v1",
                "--authorization-webhook-cache-authorized-ttl=1m",
                "--authorization-webhook-cache-unauthorized-ttl=0s",
                "--authorization-webhook-timeout=500ms",
                "--policy-reload=watch",
                "--runtime-config=api/all=true");
        HttpsSettings https = flags.serving(values, HttpLimits.DEFAULT);
        assertThat(https.bindAddress().getHostAddress()).isEqualTo("127.0.0.2");
        assertThat(https.port()).isEqualTo(7443);
        assertThat(https.limits().requestTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(values.get(flags.anonymous)).isFalse();
        assertThat(values.get(flags.maxReading)).isEqualTo(7);
        assertThat(values.get(flags.maxMutating)).isEqualTo(3);
        assertThat(values.get(flags.shutdownDelay)).isEqualTo(Duration.ofSeconds(2));
        assertThat(values.get(flags.tokenFile)).contains(Path.of("t.csv"));
        assertThat(values.get(flags.clientAuthorities)).contains(Path.of("ca.crt"));
        assertThat(values.get(flags.storage.history)).isEqualTo(new HistoryPolicy.Changes(1000));
        assertThat(flags.authorization.superUser(values)).isEqualTo("root");
        assertThat(flags.authorization.policy.reloads(values)).isTrue();
        assertThat(values.get(flags.authorization.alwaysAllowPaths)).containsExactly("/healthz", "/openapi/*");
        assertThat(flags.authorization.options(values).orElseThrow().modes()).containsExactly("Webhook", "RBAC");
        io.plat.engine.webhook.WebhookMode.Options remote =
                flags.authorization.policy.webhook(values).orElseThrow();
        assertThat(remote.configFile()).isEqualTo(Path.of("w.conf"));
        assertThat(remote.requests().version()).isEqualTo(ReviewVersion.K8S_V1);
        assertThat(remote.requests().deadline()).isEqualTo(Duration.ofMillis(500));
        assertThat(remote.caching().authorizedTtl()).isEqualTo(Duration.ofMinutes(1));
        assertThat(remote.caching().unauthorizedTtl()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --service-account-key-file=k   | --service-account-signing-key-file: required with --service-account-key-file
        --service-account-issuer=http://a | --service-account-issuer: invalid value "http://a", expected a name without a colon, or an https URL
        --service-account-issuer=a:b   | --service-account-issuer: invalid value "a:b", expected a name without a colon, or an https URL
        --service-account-jwks-uri=a   | --service-account-jwks-uri: invalid value "a", expected an https URL
        --service-account-max-token-expiration=5m | --service-account-max-token-expiration: out of range, expected 0s or from 1h to 2^32 seconds
        --authorization-mode=RBAC      | --authorization-mode: mode "RBAC" needs its API: add --runtime-config=rbac.authorization.plat.io/v1alpha1=true
        --authorization-mode=Nope      | --authorization-mode: unknown mode "Nope"
        --authorization-mode=ABAC      | --authorization-policy-file: required with mode "ABAC"
        --authorization-policy-file=p  | --authorization-policy-file: requires mode "ABAC"
        --runtime-config=x/y           | --runtime-config: "x/y" is unknown
        --runtime-config=api/all=maybe | --runtime-config: invalid entry "api/all=maybe"
        --authorization-always-allow-paths=healthz | --authorization-always-allow-paths: invalid value "healthz"
        --authorization-always-allow-paths=/a*b    | --authorization-always-allow-paths: invalid value "/a*b"
        --authorization-webhook-timeout=0s | --authorization-webhook-timeout: invalid value "0s"
        --authorization-webhook-version=v1 | --authorization-webhook-version: invalid value "v1"
        --watch-history=forever        | --watch-history: invalid value "forever", expected duration:5m or changes:1000
        --storage-backend=etcd2        | --storage-backend: invalid value "etcd2"
        --storage-backend=etcd3        | --etcd-servers: required, expected a URL as in https://127.0.0.1:2379
        --storage-backend=etcd3        | --data-dir: requires --storage-backend=embedded
        --etcd-servers=http://a:2379   | --etcd-servers: requires --storage-backend=etcd3
        --etcd-cafile=a                | --etcd-cafile: requires --storage-backend=etcd3
        --etcd-servers=a:2379          | --etcd-servers: invalid value "a:2379"
        --etcd-servers=http://a        | --etcd-servers: invalid value "http://a"
        --etcd-servers=http://u@a:2379 | --etcd-servers: invalid value "http://u@a:2379"
        --etcd-prefix=a b              | --etcd-prefix: invalid value "a b", expected a path as in /registry
        --oidc-issuer-url=https://x    | --oidc-client-id: required with --oidc-issuer-url
        --requestheader-allowed-names=x | --requestheader-allowed-names: requires --requestheader-client-ca-file
        --audit-log-path=x             | --audit-log-path: requires --audit-policy-file
        --advertise-address=127.0.0.1  | --advertise-address: invalid value "127.0.0.1", expected an IPv4 address such as 192.0.2.10
        --advertise-address=169.254.0.1 | --advertise-address: invalid value "169.254.0.1"
        --advertise-address=fd00::1    | --advertise-address: invalid value "fd00::1"
        --advertise-address=localhost  | --advertise-address: invalid value "localhost"
        --endpoint-reconciler-type=master-count | --endpoint-reconciler-type: invalid value "master-count", expected one of lease, none
        --audit-logs=x                 | --audit-logs: unknown flag
        """)
    void reportsInvalidFlags(String flag, String problem) {
        assertThatThrownBy(() -> parse(flag))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        e -> assertThat(e.problems())
                                .anySatisfy(line -> assertThat(line).startsWith(problem)));
    }

    @Test
    void webhookModeRequiresItsConfigurationAndApi() {
        assertThatThrownBy(() -> parse("--authorization-mode=Webhook"))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        e -> assertThat(e.problems())
                                .containsExactlyInAnyOrder(
                                        "--authorization-webhook-config-file: required with mode \"Webhook\"",
                                        "--authorization-mode: mode \"Webhook\" needs its API: add"
                                                + " --runtime-config=authorization.plat.io/v1beta1=true"));
    }

    @Test
    void problemsOfAllFlagsAreReportedTogether(@TempDir Path directory) throws IOException {
        Path tokens = Files.writeString(directory.resolve("tokens.csv"), "a\n");
        Path policy = Files.writeString(directory.resolve("policy.jsonl"), "{}\n");
        Path blocked = Files.writeString(directory.resolve("blocked"), "");
        assertThatThrownBy(() -> TestingApiServer.start(List.of(
                        "--secure-port=0",
                        "--tls-cert-file=" + directory.resolve("missing.crt"),
                        "--tls-private-key-file=" + directory.resolve("missing.key"),
                        "--token-auth-file=" + tokens,
                        "--authorization-mode=ABAC",
                        "--authorization-policy-file=" + policy,
                        "--data-dir=" + blocked)))
                .isInstanceOfSatisfying(
                        StartException.class,
                        e -> assertThat(e.problems())
                                .anySatisfy(line -> assertThat(line).contains("missing.crt"))
                                .anySatisfy(line -> assertThat(line).startsWith(tokens + ":1: "))
                                .anySatisfy(line -> assertThat(line).startsWith(policy + ":1: "))
                                .anySatisfy(line -> assertThat(line).startsWith("--data-dir: ")));
    }
}

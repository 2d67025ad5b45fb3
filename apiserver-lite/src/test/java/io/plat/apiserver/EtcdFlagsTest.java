package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.etcd.RemoteSettings;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;
import io.plat.http.commandline.UsageException;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EtcdFlagsTest {
    private final FlagSet set = FlagSet.of(ApiServerFlags.class, "apiserver-lite", "1");
    private final StorageFlags flags = new StorageFlags(set);

    private FlagValues parse(String... more) throws UsageException {
        var arguments = new ArrayList<>(List.of("--storage-backend=etcd3"));
        arguments.addAll(List.of(more));
        return ((FlagSet.Request.Run) set.parse(arguments.toArray(String[]::new))).values();
    }

    private RemoteSettings settings(String... more) throws UsageException {
        return flags.etcd.settings(parse(more), null);
    }

    @Test
    void oneServerIsSufficient() throws UsageException {
        FlagValues values = parse("--etcd-servers=http://127.0.0.1:2379");
        assertThat(flags.etcd.settings(values, null))
                .isEqualTo(new RemoteSettings(List.of(URI.create("http://127.0.0.1:2379")), "/registry", null));
        assertThat(flags.etcd.tls(values)).isEmpty();
        assertThat(values.get(flags.eventLifetime)).isEqualTo(Duration.ofHours(1));
        assertThat(flags.dataDirectory(values)).isEmpty();
        assertThat(flags.flag(values)).isEqualTo("--etcd-servers");
    }

    @Test
    void allFlags() throws UsageException, NoSuchAlgorithmException {
        FlagValues values = parse(
                "--etcd-servers=https://a:2379,https://b:2379",
                "--etcd-servers=https://c:2379/",
                "--etcd-prefix=/one/two/",
                "--etcd-cafile=ca",
                "--etcd-certfile=crt",
                "--etcd-keyfile=key");
        SSLContext context = SSLContext.getDefault();
        assertThat(flags.etcd.settings(values, context))
                .isEqualTo(new RemoteSettings(
                        List.of(
                                URI.create("https://a:2379"),
                                URI.create("https://b:2379"),
                                URI.create("https://c:2379/")),
                        "/one/two",
                        context));
        assertThat(flags.etcd.tls(values))
                .get()
                .satisfies(tls -> assertThat(Stream.of(tls.authorities(), tls.certificates(), tls.key()))
                        .extracting(String::valueOf)
                        .containsExactly("ca", "crt", "key"));
    }

    @ParameterizedTest
    @CsvSource({"registry, /registry", "/registry/, /registry", "//a//b, /a/b", "/, ''"})
    void prefixIsNormalized(String given, String prefix) throws UsageException {
        assertThat(settings("--etcd-servers=http://a:1", "--etcd-prefix=" + given)
                        .prefix())
                .isEqualTo(prefix);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --etcd-certfile=c | --etcd-keyfile: required, expected the key of --etcd-certfile
        --etcd-keyfile=k  | --etcd-certfile: required, expected the certificate of --etcd-keyfile
        --etcd-servers=b  | --etcd-servers: invalid value "b", expected a URL
        --event-ttl=0s    | --event-ttl: invalid value "0s"
        """)
    void reportsInvalidFlags(String flag, String problem) {
        assertThatThrownBy(() -> parse("--etcd-servers=http://a:1", flag))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        e -> assertThat(e.problems())
                                .anySatisfy(line -> assertThat(line).startsWith(problem)));
    }
}

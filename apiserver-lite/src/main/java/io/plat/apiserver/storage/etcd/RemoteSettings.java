package io.plat.apiserver.storage.etcd;

import java.net.URI;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Connection settings of a key-value store.
 *
 * @param servers members, all either http or https
 * @param prefix prefix of every key, without a trailing slash
 * @param tls TLS context for https members; null only without any
 */
public record RemoteSettings(
        List<URI> servers, String prefix, @Nullable SSLContext tls) {
    public RemoteSettings {
        servers = List.copyOf(servers);
        if (servers.isEmpty() || prefix.endsWith("/") || (tls == null && secure(servers))) {
            throw new IllegalArgumentException("not the settings of a key-value store");
        }
    }

    public static boolean secure(List<URI> servers) {
        return servers.stream().anyMatch(server -> server.getScheme().equals("https"));
    }
}

package io.plat.apiserver.storage.etcd;

import java.net.URI;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a key-value store is and how to come in.
 *
 * @param servers its members, http or https, all of them alike
 * @param prefix what stands in front of every key, without a slash at its end
 * @param tls for members with https; null only where there are none
 */
public record RemoteSettings(
        List<URI> servers, String prefix, @Nullable SSLContext tls) {
    public RemoteSettings {
        servers = List.copyOf(servers);
        if (servers.isEmpty() || prefix.endsWith("/") || (tls == null && secure(servers))) {
            throw new IllegalArgumentException("not the settings of a key-value store");
        }
    }

    /** Returns whether one of them is asked over TLS. */
    public static boolean secure(List<URI> servers) {
        return servers.stream().anyMatch(server -> server.getScheme().equals("https"));
    }
}

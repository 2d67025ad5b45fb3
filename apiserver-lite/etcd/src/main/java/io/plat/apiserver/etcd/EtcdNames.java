package io.plat.apiserver.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.plat.apiserver.storage.etcd.RemoteKeys.Value;
import java.nio.charset.StandardCharsets;

/** Key names in etcd, below a prefix. */
final class EtcdNames {
    private static final int ESCAPE = 0xdc00;

    private final ByteString prefix;
    private final ByteString end;

    /** Creates names below a prefix and a slash. */
    EtcdNames(String prefix) {
        this.prefix = ByteString.copyFromUtf8(prefix + "/");
        this.end = ByteString.copyFromUtf8(prefix + (char) ('/' + 1));
    }

    /** Returns the name of a key; the inverse of {@link #key}. */
    ByteString name(String key) {
        return prefix.concat(
                StandardCharsets.UTF_8.newEncoder().canEncode(key) ? ByteString.copyFromUtf8(key) : unescaped(key));
    }

    private static ByteString unescaped(String key) {
        byte[] bytes = new byte[key.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) key.charAt(i);
        }
        return ByteString.copyFrom(bytes);
    }

    /** Returns the first name after a key; the first of all for {@code ""}. */
    ByteString startAfter(String key) {
        return key.isEmpty() ? prefix : name(key + '\0');
    }

    /** Returns the end of all names, exclusive. */
    ByteString end() {
        return end;
    }

    /**
     * Returns the key of a name. Where a name is not UTF-8, each byte beyond ASCII becomes an unpaired surrogate, which no key of an object
     * contains, so that distinct names have distinct keys.
     */
    String key(ByteString name) {
        ByteString bytes = name.substring(prefix.size());
        if (bytes.isValidUtf8()) {
            return bytes.toStringUtf8();
        }
        StringBuilder escaped = new StringBuilder(bytes.size());
        for (byte each : bytes) {
            escaped.append((char) (each >= 0 ? each : ESCAPE | (each & 0xff)));
        }
        return escaped.toString();
    }

    Value value(KeyValue stored) {
        return new Value(
                key(stored.getKey()), stored.getValue().toByteArray(), stored.getModRevision(), stored.getLease());
    }
}

package io.plat.apiserver.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.plat.apiserver.storage.etcd.RemoteKeys.Value;

/** Key names in etcd, below a prefix. */
final class EtcdNames {
    private final ByteString prefix;
    private final ByteString end;

    /** Creates names below a prefix and a slash. */
    EtcdNames(String prefix) {
        this.prefix = ByteString.copyFromUtf8(prefix + "/");
        this.end = ByteString.copyFromUtf8(prefix + (char) ('/' + 1));
    }

    ByteString name(String key) {
        return prefix.concat(ByteString.copyFromUtf8(key));
    }

    /** Returns the first name after a key; the first of all for {@code ""}. */
    ByteString behind(String key) {
        return key.isEmpty() ? prefix : name(key + '\0');
    }

    /** Returns the end of all names, exclusive. */
    ByteString end() {
        return end;
    }

    String key(ByteString name) {
        return name.substring(prefix.size()).toStringUtf8();
    }

    Value value(KeyValue kept) {
        return new Value(key(kept.getKey()), kept.getValue().toByteArray(), kept.getModRevision(), kept.getLease());
    }
}

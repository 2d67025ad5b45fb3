package io.plat.apiserver.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.plat.apiserver.storage.etcd.RemoteKeys.Value;

/** Keys as etcd has them: behind a prefix. */
final class EtcdNames {
    private final ByteString prefix;
    private final ByteString end;

    /** Names behind a prefix and a slash. */
    EtcdNames(String prefix) {
        this.prefix = ByteString.copyFromUtf8(prefix + "/");
        this.end = ByteString.copyFromUtf8(prefix + (char) ('/' + 1));
    }

    ByteString name(String key) {
        return prefix.concat(ByteString.copyFromUtf8(key));
    }

    /** The first name that can stand behind a key; the first of all behind {@code ""}. */
    ByteString behind(String key) {
        return key.isEmpty() ? prefix : name(key + '\0');
    }

    /** What every name stands before. */
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

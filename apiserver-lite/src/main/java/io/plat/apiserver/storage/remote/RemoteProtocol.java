package io.plat.apiserver.storage.remote;

/** Speaks the protocol of a key-value store; found as a service. */
public interface RemoteProtocol {
    /** The name that {@code --storage-backend} gives it. */
    String name();

    /** Makes ready to ask a store; that it answers is found out by asking. */
    RemoteKeys open(RemoteSettings settings);
}

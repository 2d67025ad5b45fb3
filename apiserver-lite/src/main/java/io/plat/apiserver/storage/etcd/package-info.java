/**
 * etcd backend: a store that replicates a key-value store such as etcd 3, and the port to it, {@link
 * io.plat.apiserver.storage.etcd.RemoteKeys}. Implementations of the protocol depend only on the port, and are loaded with their
 * libraries only if they are used. May depend on {@link io.plat.apiserver.storage} and {@link io.plat.apiserver.storage.move}.
 */
@NullMarked
package io.plat.apiserver.storage.etcd;

import org.jspecify.annotations.NullMarked;

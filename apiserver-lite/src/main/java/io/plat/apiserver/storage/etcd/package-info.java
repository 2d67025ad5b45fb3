/**
 * The backend in other processes: a store that follows a key-value store as etcd 3 is one, and the port through which it is asked, {@link
 * io.plat.apiserver.storage.etcd.RemoteKeys}. Values and failures of the port are all that the two sides know of each other: whoever speaks
 * the protocol is compiled against it, and is loaded with its libraries only where it is requested. May depend on {@link
 * io.plat.apiserver.storage} and {@link io.plat.apiserver.storage.move}.
 */
@NullMarked
package io.plat.apiserver.storage.etcd;

import org.jspecify.annotations.NullMarked;

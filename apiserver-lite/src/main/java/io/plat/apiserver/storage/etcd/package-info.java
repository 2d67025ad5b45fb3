/**
 * What a store asks of a key-value store in other processes, as etcd 3 is one. Values and failures of this package are all that the two
 * sides know of each other: whoever speaks the protocol is compiled against it, and is loaded with its libraries only where it is asked for.
 * May depend on the JDK and {@link io.plat.apiserver.storage.StorageException}.
 */
@NullMarked
package io.plat.apiserver.storage.etcd;

import org.jspecify.annotations.NullMarked;

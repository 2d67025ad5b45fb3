/**
 * Speaks the protocol of etcd 3: what {@link io.plat.apiserver.storage.etcd} asks for, as calls over gRPC, and nothing else. Calls have
 * deadlines and are not repeated behind anybody's back, since a transaction that is sent twice is refused by its own first. Loaded with its
 * libraries only where the server is told to keep its objects in etcd. May depend on that package, gRPC and the messages of jetcd.
 */
@NullMarked
package io.plat.apiserver.etcd;

import org.jspecify.annotations.NullMarked;

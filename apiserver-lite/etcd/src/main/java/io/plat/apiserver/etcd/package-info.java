/**
 * Client of the etcd 3 protocol: implements {@link io.plat.apiserver.storage.etcd} by gRPC calls. Calls have deadlines and are not
 * retried automatically, since the first attempt of a transaction would make a second one fail. Loaded with its libraries only for the
 * etcd backend. May depend on that package, gRPC and the messages of jetcd.
 */
@NullMarked
package io.plat.apiserver.etcd;

import org.jspecify.annotations.NullMarked;

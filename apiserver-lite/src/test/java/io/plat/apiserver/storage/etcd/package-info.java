/** Tests of the etcd store's parts; the contract of all backends is tested in the tests module. */
@NullMarked
package io.plat.apiserver.storage.etcd;

import org.jspecify.annotations.NullMarked;

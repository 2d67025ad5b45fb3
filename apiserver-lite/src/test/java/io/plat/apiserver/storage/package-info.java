/** Tests of the storage types; the contract of all backends is tested in the tests module. */
@NullMarked
package io.plat.apiserver.storage;

import org.jspecify.annotations.NullMarked;

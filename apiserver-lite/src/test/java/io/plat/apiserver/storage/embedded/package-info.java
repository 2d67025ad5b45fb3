/** Tests of the embedded store's parts; the contract of all backends is tested in the tests module. */
@NullMarked
package io.plat.apiserver.storage.embedded;

import org.jspecify.annotations.NullMarked;

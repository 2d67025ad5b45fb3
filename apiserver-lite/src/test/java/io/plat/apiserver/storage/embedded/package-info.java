/** Tests of the embedded store's parts; its contract is tested where every backend's is. */
@NullMarked
package io.plat.apiserver.storage.embedded;

import org.jspecify.annotations.NullMarked;

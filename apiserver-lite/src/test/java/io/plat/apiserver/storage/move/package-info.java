/** Tests of what is moved from store to store; moving itself is tested with the stores. */
@NullMarked
package io.plat.apiserver.storage.move;

import org.jspecify.annotations.NullMarked;

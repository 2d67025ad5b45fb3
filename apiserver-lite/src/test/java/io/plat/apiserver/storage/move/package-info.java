/** Tests of contents that move between stores; moves are tested with the stores. */
@NullMarked
package io.plat.apiserver.storage.move;

import org.jspecify.annotations.NullMarked;

/** Tests of background loops. */
@NullMarked
package io.plat.process;

import org.jspecify.annotations.NullMarked;

/** Tests of the lines that account for decisions. */
@NullMarked
package io.plat.engine.decided;

import org.jspecify.annotations.NullMarked;

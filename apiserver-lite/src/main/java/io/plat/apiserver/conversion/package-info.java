/**
 * Conversion between served and stored versions of built-in types.
 *
 * <p>May depend on {@code type} and what is below it.
 */
@NullMarked
package io.plat.apiserver.conversion;

import org.jspecify.annotations.NullMarked;

/**
 * Conversion between served and stored versions of built-in types.
 *
 * <p>May depend on {@code type} and its dependencies.
 */
@NullMarked
package io.plat.apiserver.conversion;

import org.jspecify.annotations.NullMarked;

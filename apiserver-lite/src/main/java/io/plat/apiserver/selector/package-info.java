/**
 * Label and field selectors: parsing, matching against stored objects, and key ranges.
 *
 * <p>May depend on {@code stored}, {@code type} and their dependencies.
 */
@NullMarked
package io.plat.apiserver.selector;

import org.jspecify.annotations.NullMarked;

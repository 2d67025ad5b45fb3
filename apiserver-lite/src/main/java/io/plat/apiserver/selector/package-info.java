/**
 * Label and field selectors: reading, matching against stored objects, and the part of a collection that they select.
 *
 * <p>May depend on {@code stored}, {@code type} and what is below them.
 */
@NullMarked
package io.plat.apiserver.selector;

import org.jspecify.annotations.NullMarked;

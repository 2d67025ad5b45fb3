/**
 * Is what clients saw of a store possible for one that does one thing at a time? Histories of registers, a checker of them, and
 * stores that it must catch.
 */
@NullMarked
package io.plat.tests.linear;

import org.jspecify.annotations.NullMarked;

/** Linearizability of stores as observed by clients: histories of registers, a checker, and faulty stores that it must detect. */
@NullMarked
package io.plat.tests.linear;

import org.jspecify.annotations.NullMarked;

/**
 * Every built-in type, run through everything that can be done with an object of it: the catalog says which types there are, a file says
 * what the least object of each is. A type without a row of that file is a failure.
 */
@NullMarked
package io.plat.tests.apiserver.catalog;

import org.jspecify.annotations.NullMarked;

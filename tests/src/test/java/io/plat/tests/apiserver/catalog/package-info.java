/**
 * Every built-in type, used with every operation. The catalog lists the types, and a file has a minimal object of each. A type without a
 * row in that file is a failure.
 */
@NullMarked
package io.plat.tests.apiserver.catalog;

import org.jspecify.annotations.NullMarked;

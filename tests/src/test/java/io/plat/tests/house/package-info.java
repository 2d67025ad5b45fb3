/** The rules of the house as tests: which module and package may depend on which, and what things may be called. */
@NullMarked
package io.plat.tests.house;

import org.jspecify.annotations.NullMarked;

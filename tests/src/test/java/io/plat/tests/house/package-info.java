/** House rules as tests: dependencies between modules and packages, and naming. */
@NullMarked
package io.plat.tests.house;

import org.jspecify.annotations.NullMarked;

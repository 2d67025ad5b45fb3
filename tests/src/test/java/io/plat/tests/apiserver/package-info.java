/** Black-box tests of apiserver-lite. */
@NullMarked
package io.plat.tests.apiserver;

import org.jspecify.annotations.NullMarked;

/** Documents and samples: every example is loaded or executed. */
@NullMarked
package io.plat.tests.conf;

import org.jspecify.annotations.NullMarked;

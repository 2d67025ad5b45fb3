@NullMarked
package io.plat.engine.whatif;

import org.jspecify.annotations.NullMarked;

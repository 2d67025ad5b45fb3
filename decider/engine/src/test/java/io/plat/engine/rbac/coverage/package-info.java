@NullMarked
package io.plat.engine.rbac.coverage;

import org.jspecify.annotations.NullMarked;
